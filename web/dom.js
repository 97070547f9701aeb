// How elements are made: text is only ever set as text, so that no name of a person becomes markup.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Make an element. Of `props`, functions become listeners (`click`), true and false an attribute that is there or not,
 * and null is left out; all else is an attribute's text.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, string | number | boolean | null | ((event: any) => void)>} [props]
 * @param {...(Node | string | number | null | undefined | false)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function make(tag, props = {}, ...children) {
  return filled(document.createElement(tag), props, children);
}

/**
 * The same for what a picture is made of.
 *
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, string | number | boolean | null | ((event: any) => void)>} [props]
 * @param {...(Node | string | number | null | undefined | false)} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function draw(tag, props = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), props, children);
}

/**
 * @template {Element} T
 * @param {T} element
 * @param {Record<string, string | number | boolean | null | ((event: any) => void)>} props
 * @param {(Node | string | number | null | undefined | false)[]} children
 */
function filled(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null) element.setAttribute(name, String(value));
  }
  for (const child of children)
    if (child !== null && child !== undefined && child !== false)
      element.append(child instanceof Node ? child : String(child));
  return element;
}

/**
 * A button that does not send a form.
 *
 * @param {string | Node} label
 * @param {(event: MouseEvent) => void} action
 * @param {Record<string, string | number | boolean | null>} [props]
 */
export function button(label, action, props = {}) {
  return make("button", { type: "button", ...props, click: action }, label);
}

/**
 * The element of the page with this id, of the class that it is expected to be.
 *
 * @template {Element} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
export function byId(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`no ${kind.name} has the id ${id}`);
  return found;
}
