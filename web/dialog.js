// What is asked and told before play goes on, and links to be taken elsewhere.

import { button, byId, make } from "./dom.js";

const dialog = byId("dialog", HTMLDialogElement);

export function closeDialog() {
  if (dialog.open) dialog.close();
}

/**
 * @param {string} title
 * @param {(Node | null)[]} children
 * @param {HTMLButtonElement[]} buttons
 */
export function openDialog(title, children, buttons) {
  const close = button("Close", () => dialog.close());
  dialog.replaceChildren(
    make("h2", { id: "dialog-title", tabindex: -1, autofocus: true }, title),
    ...children.filter((each) => each !== null),
    make("p", { class: "buttons" }, ...buttons, close),
  );
  dialog.returnValue = "";
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  return close;
}

/**
 * @param {string} title
 * @param {string} text
 */
export function tell(title, text) {
  openDialog(title, [make("p", {}, text)], []);
}

/**
 * @param {string} title
 * @param {string} text
 * @param {string} yes
 * @param {string} [no]
 * @returns {Promise<boolean>}
 */
export function agreed(title, text, yes, no = "No") {
  const agree = button(yes, () => dialog.close("yes"), { class: "primary", id: "agree" });
  openDialog(title, [make("p", {}, text)], [agree]).textContent = no;
  agree.focus();
  return new Promise((resolve) =>
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true }),
  );
}

/**
 * A link to be taken to somebody else.
 *
 * @param {string} label
 * @param {string} address
 */
export function copyable(label, address) {
  const field = make("input", { readonly: true, value: address, "aria-label": label, focus: () => field.select() });
  const copy = button("Copy", async () => {
    field.select();
    const isCopied = await navigator.clipboard?.writeText(address).then(() => true, () => false);
    copy.textContent = isCopied ? "Copied" : "Press Ctrl+C";
  });
  return make("p", { class: "copyable" }, make("span", {}, label), field, copy);
}

