// For pages of the manual: checks examples in the page, and links them to the playground.
//
// A block of code whose class is `language-KIND` (a signature, a prompt file, Elixir, …) gets a link that opens it in the
// playground. Signature blocks are checked by the playground's module, and what is found is shown below them. Without
// the module, as when the page is read from a file, the links are all there is.
//
// The playground is the folder `playground/` beside the manual. The attribute `data-playground` of this script's element
// names another address.
(() => {
  "use strict";

  const KINDS = {
    elixir: "ex",
    clojure: "clj",
    prompt: "prompt",
    sig: "sig",
    yaml: "yaml",
    json: "json",
    signature: "md",
  };

  const script = document.currentScript;
  const named = script && script.dataset.playground;
  // mdBook says how far its root is; elsewhere it is the folder of the page.
  const root = typeof path_to_root === "string" ? path_to_root : "";
  const playground = new URL(named || `${root}playground/`, document.baseURI);

  function kindOf(code) {
    const language = [...code.classList].find((it) => it.startsWith("language-"));
    return language && language.slice("language-".length);
  }

  /** The text that is checked, and how far it is moved: a signature needs a fence around it. */
  function sourceOf(code, language) {
    const text = code.textContent;
    return language === "signature" ? `\`\`\`signature\n${text.replace(/\n?$/, "\n")}\`\`\`\n` : text;
  }

  function link(language, text) {
    const anchor = document.createElement("a");
    const address = new URL(playground);
    address.hash = new URLSearchParams({ text, kind: KINDS[language] }).toString();
    anchor.href = address.href;
    anchor.className = "open-in-playground";
    anchor.textContent = "Open in playground";
    return anchor;
  }

  function startChecker() {
    let worker;
    try {
      worker = new Worker(new URL("worker.js", playground));
    } catch {
      return null;
    }
    const waiting = new Map();
    let next = 0;
    worker.addEventListener("message", ({ data }) => {
      waiting.get(data.id)?.(data.ok ?? null);
      waiting.delete(data.id);
    });
    worker.addEventListener("error", () => {
      for (const resolve of waiting.values()) resolve(null);
    });
    return (kind, text) =>
      new Promise((resolve) => {
        waiting.set(next, resolve);
        worker.postMessage({ id: next++, request: { open: { kind, text } } });
      });
  }

  function show(block, findings) {
    const list = document.createElement("ul");
    list.className = "playground-findings";
    list.setAttribute("role", "status");
    for (const { severity, code, message } of findings) {
      const item = document.createElement("li");
      item.className = severity;
      item.textContent = `${severity}: ${message} (${code})`;
      list.append(item);
    }
    if (findings.length === 0) list.append(Object.assign(document.createElement("li"), { textContent: "No problems." }));
    block.after(list);
    return list;
  }

  /** Checks a signature block now, and at each change of it: it can be edited in the page. */
  function checkLive(code, block, check) {
    let shown;
    let version = 0;
    const refresh = async () => {
      const mine = ++version;
      const findings = await check(KINDS.signature, sourceOf(code, "signature"));
      if (!findings || mine !== version) return;
      if (shown) shown.remove();
      shown = show(block, findings);
      const anchor = block.parentNode.querySelector(":scope > .open-in-playground[data-of='" + block.dataset.example + "']");
      if (anchor) anchor.href = link("signature", sourceOf(code, "signature")).href;
    };
    code.contentEditable = "plaintext-only";
    code.spellcheck = false;
    code.setAttribute("role", "textbox");
    code.setAttribute("aria-multiline", "true");
    code.setAttribute("aria-label", "Signature");
    code.addEventListener("input", refresh);
    void refresh();
  }

  function start() {
    const blocks = [...document.querySelectorAll("pre > code")].filter((code) => kindOf(code) in KINDS);
    if (blocks.length === 0) return;
    let check;
    blocks.forEach((code, index) => {
      const language = kindOf(code);
      const block = code.parentNode;
      block.dataset.example = String(index);
      const anchor = link(language, sourceOf(code, language));
      anchor.dataset.of = String(index);
      block.after(anchor);
      if (language !== "signature") return;
      check ??= startChecker() ?? (async () => null);
      checkLive(code, block, check);
    });
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
