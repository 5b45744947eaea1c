// The text of the page and its checker, in sync.

import { Text, type ChangeSet } from "@codemirror/state";
import { Checker, Gone, Refusal, orNothing } from "./checker";
import type { Answers, Change, Finding, RequestName } from "./messages";
import { LONGEST_CHECKED } from "./share";

/** The pause after which more expensive requests than a check are sent, in milliseconds. */
const PAUSE = 100;

interface Listener {
  /** The diagnostics of the current text; null if it is not checked. */
  findings(findings: Finding[] | null): void;
  /** A message for the user; it replaces the previous one. */
  say(message: string): void;
  /** The reason why the text is not checked; empty if it is. */
  warn(message: string): void;
}

export class Document {
  #checker = new Checker((reason) => this.#recover(reason));
  #text = Text.empty;
  #version = 0;
  #kind = "yaml";
  #edition: string | undefined;
  #isOpen = false;
  /** Whether the text crashed the checker that it was opened in. */
  #isFresh = false;
  #onChecked: (() => void)[] = [];
  #onPause: (() => void)[] = [];
  #pause: ReturnType<typeof setTimeout> | undefined;

  constructor(private listener: Listener) {}

  get kind(): string {
    return this.#kind;
  }

  get edition(): string | undefined {
    return this.#edition;
  }

  say(message: string): void {
    this.listener.say(message);
  }

  /** Calls `listener` after each check. */
  onChecked(listener: () => void): void {
    this.#onChecked.push(listener);
  }

  /** Calls `listener` when the user pauses after an edit or a move of the cursor. */
  onPause(listener: () => void): void {
    this.#onPause.push(listener);
  }

  /** Called when the user moves the cursor. */
  moved(): void {
    this.#pauseAfter(PAUSE);
  }

  #pauseAfter(delay: number): void {
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => {
      for (const listener of this.#onPause) listener();
    }, delay);
  }

  /** Checks another text. */
  open(text: Text, kind = this.#kind, edition = this.#edition): void {
    this.#text = text;
    this.#kind = kind;
    this.#edition = edition;
    this.#version++;
    if (text.length > LONGEST_CHECKED) return void this.#refuse();
    this.#isOpen = true;
    this.#isFresh = true;
    this.listener.warn("");
    void this.#show(this.#checker.open({ text: text.toString(), kind, edition }), 0);
  }

  /** Applies the changes of the editor. */
  edit(changes: ChangeSet, text: Text): void {
    if (!this.#isOpen || text.length > LONGEST_CHECKED) return this.open(text);
    this.#version++;
    const sent: Change[] = [];
    changes.iterChanges((from, to, _from, _to, insert) => sent.push({ from, to, insert: insert.toString() }));
    this.#text = text;
    void this.#show(this.#checker.edit(sent), PAUSE);
  }

  /** The answer about the current text; null if there is none, or if the text changed meanwhile. */
  async ask<Name extends RequestName>(name: Name, parameters: object = {}): Promise<Answers[Name] | null> {
    return orNothing(this.askOrFail(name, parameters));
  }

  /** Like `ask`, but shows the reason if there is no answer. */
  async askOrFail<Name extends RequestName>(name: Name, parameters: object = {}): Promise<Answers[Name] | null> {
    if (!this.#isOpen) return null;
    const version = this.#version;
    const isWanted = () => version === this.#version;
    const answer = await this.#checker.ask(name, parameters, isWanted);
    return isWanted() ? answer : null;
  }

  async #show(checked: Promise<Finding[]>, delay: number): Promise<void> {
    const version = this.#version;
    clearTimeout(this.#pause);
    try {
      const findings = await checked;
      this.#isFresh = false;
      if (version !== this.#version) return;
      this.listener.findings(findings);
      for (const listener of this.#onChecked) listener();
      this.#pauseAfter(delay);
    } catch (error) {
      if (error instanceof Refusal) {
        this.listener.findings(null);
        this.listener.warn(`This text is not checked: ${error.message}`);
      } else if (!(error instanceof Gone)) throw error;
    }
  }

  async #refuse(): Promise<void> {
    this.#isOpen = false;
    const version = this.#version;
    // The editor is still applying this edit: it cannot show anything else yet.
    await null;
    if (version !== this.#version) return;
    const [length, limit] = [this.#text.length, LONGEST_CHECKED].map((it) => it.toLocaleString("en"));
    this.listener.findings(null);
    this.listener.warn(
      `This text has ${length} characters; the playground checks up to ${limit}. ` +
        "Delete some of it, or run `signature-ls check` on the file.",
    );
  }

  #recover(reason: string): void {
    const crash = `The checker crashed and was restarted; your text is unchanged. Please report this: ${reason}`;
    if (this.#isFresh) {
      // It would crash again and again.
      this.#isOpen = false;
      this.#isFresh = false;
      this.listener.findings(null);
      this.listener.warn(`The checker crashes on this text. Change it to check again. Please report this: ${reason}`);
      return;
    }
    this.open(this.#text);
    this.listener.warn(crash);
  }
}
