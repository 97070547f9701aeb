// A table that waits for players: the link to send for who sits at it, and a seat to take for who was sent one.

import { copyable } from "./dialog.js";
import { button, make } from "./dom.js";
import { keepTicket, like, liked } from "./keep.js";
import { key, messageOf, Problem } from "./service.js";

/** @import { Match, Ticket } from "./types.js" */
/** @import { Service } from "./service.js" */

/**
 * @typedef {{
 *   service: Service,
 *   kept: Ticket,
 *   offered: number | null,
 *   onSeat: () => void,
 *   onCancel: () => void,
 * }} Guest Who looks: `offered` is the seat that their link names; `onSeat` is told that they sit by now.
 */

/**
 * @param {Match} match
 * @param {ChildNode | null} before What was shown so far: a form is kept, since somebody may be filling it in.
 * @param {Guest} guest
 * @returns {Node}
 */
export function waitingRoom(match, before, { service, kept, offered, onSeat, onCancel }) {
  const open = match.seats.filter(({ kind }) => kind === "open").map(({ seat }) => seat);
  const sits = Object.keys(kept.seats).length > 0 || kept.host !== null;
  if (!sits) return before instanceof HTMLFormElement ? before : joinForm();
  return make(
    "section",
    { class: "card room" },
    make("h2", {}, "Waiting for players"),
    make("p", {}, "Send this link to whom you want to play with. Keep this page open, or come back to it."),
    ...open.map((seat) => copyable(`To take seat ${seat + 1}`, seatLink(match.id, seat))),
    kept.host && button("Close the table", onCancel, { id: "cancel" }),
  );

  function joinForm() {
    const name = make("input", { id: "join-name", maxlength: 40, autocomplete: "nickname", value: liked().name });
    const trouble = make("p", { class: "trouble", role: "alert" });
    const sit = make("button", { class: "primary" }, offered === null ? "Take a seat" : `Take seat ${offered + 1}`);
    let once = key();
    const join = async () => {
      sit.disabled = true; // or a second click would take a second seat
      try {
        like({ name: name.value.trim() });
        const joined = await service.join(match.id, offered, name.value.trim() || null, once);
        const seats = Object.fromEntries(joined.tokens.map(({ seat, token }) => [seat, token]));
        keepTicket({ id: match.id, seats, host: null, setUp: null });
        onSeat();
      } catch (error) {
        trouble.textContent = messageOf(error);
        sit.disabled = false;
        sit.textContent = "Take a seat";
        if (error instanceof Problem) [offered, once] = [null, key()]; // another seat, where theirs is taken
      }
    };
    const submit = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      void join();
    };
    return make(
      "form",
      { class: "card room", id: "join", submit },
      make("h2", {}, "Take a seat"),
      make("label", { for: "join-name" }, "Your name "),
      name,
      sit,
      trouble,
    );
  }
}

/**
 * @param {string} id
 * @param {number} seat
 */
function seatLink(id, seat) {
  return `${location.href.split("#")[0]}#match=${id}&seat=${seat}`;
}
