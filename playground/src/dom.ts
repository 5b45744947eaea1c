// Small helpers for elements.

/** The element of the page with this id. */
export function byId<T extends HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found as T;
}

type Properties<T> = { [Key in keyof T]?: T[Key] };

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties<HTMLElementTagNameMap[Tag]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

export function button(label: string, onclick: () => void): HTMLButtonElement {
  return element("button", { type: "button", textContent: label, onclick });
}
