// Renders Markdown from the checker. micromark escapes HTML in it.

import { micromark } from "micromark";
import { element } from "./dom";

export function markdown(text: string): HTMLElement {
  const shown = element("div", { className: "markdown" });
  shown.innerHTML = micromark(text);
  for (const link of shown.querySelectorAll("a")) {
    link.target = "_blank";
    link.rel = "noopener";
  }
  return shown;
}
