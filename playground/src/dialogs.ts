// Dialogs: the browser keeps the focus in them and returns it afterwards.

import { button, element } from "./dom";

/** Lets the user choose one of `items`; null if canceled. */
export function choose<T>(title: string, items: T[], label: (item: T) => string): Promise<T | null> {
  return inDialog(title, (close) => {
    const choices = items.map((item) => element("li", {}, button(label(item), () => close(item))));
    return [element("ul", { className: "choices" }, ...choices), button("Cancel", () => close(null))];
  });
}

/** Asks for a text; null if canceled. */
export function ask(title: string, label: string, value: string): Promise<string | null> {
  return inDialog(title, (close) => {
    const input = element("input", { type: "text", value, autocomplete: "off", spellcheck: false });
    const form = element(
      "form",
      { method: "dialog" },
      element("label", {}, label, " ", input),
      element("div", { className: "buttons" }, element("button", { textContent: title }), button("Cancel", () => close(null))),
    );
    form.addEventListener("submit", () => close(input.value));
    setTimeout(() => input.select());
    return [form];
  });
}

function inDialog<T>(title: string, content: (close: (value: T | null) => void) => Node[]): Promise<T | null> {
  return new Promise((resolve) => {
    const heading = element("h2", { textContent: title, id: "dialog-title" });
    const dialog = element("dialog", {}, heading);
    dialog.setAttribute("aria-labelledby", heading.id);
    const close = (value: T | null) => {
      resolve(value);
      dialog.close();
    };
    dialog.append(...content(close));
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(null);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
