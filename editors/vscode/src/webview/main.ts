// The script of the preview's page. All text is put into the page as text, never as HTML.

import type { Part, Preview, Request, Shown } from '../previewPage.ts';

declare function acquireVsCodeApi(): { postMessage(request: Request): void };

const vscode = acquireVsCodeApi();

window.addEventListener('message', ({ data }: MessageEvent<Shown>) => {
  const main = document.getElementById('preview');
  main?.replaceChildren(...(data.preview === null ? [nothing()] : contents(data.preview, data.sample)));
});
vscode.postMessage({ kind: 'ready' });

function nothing(): HTMLElement {
  return element('p', 'Put the cursor on an agent: a prompt and its signature.');
}

function contents(preview: Preview, sample: number | undefined): HTMLElement[] {
  const header = element('header');
  header.append(element('h1', preview.name ?? 'What the model sees'));
  if (preview.samples > 0) header.append(sampleChoice(preview.samples, sample));
  header.append(element('span', `in all ${size(sum(preview.parts))}`, 'size'));
  return [header, ...preview.parts.map(section)];
}

function sampleChoice(count: number, sample: number | undefined): HTMLElement {
  const select = element('select');
  select.setAttribute('aria-label', 'Values');
  select.append(new Option('names and types', ''));
  for (let index = 0; index < count; index += 1) {
    select.append(new Option(`sample ${index + 1}`, String(index), false, index === sample));
  }
  select.addEventListener('change', () => {
    vscode.postMessage({ kind: 'sample', sample: select.value === '' ? undefined : Number(select.value) });
  });
  return select;
}

function section(part: Part): HTMLElement {
  const heading = element('h2', part.title);
  const copy = element('button', 'Copy');
  copy.addEventListener('click', () => {
    vscode.postMessage({ kind: 'copy', text: part.text });
  });
  heading.append(element('span', size(part), 'size'), copy);
  const problems = part.problems.map((problem) => element('p', problem, 'problem'));
  const whole = element('section');
  whole.append(heading, ...problems, element('pre', part.text));
  return whole;
}

interface Size {
  readonly characters: number;
  readonly tokens?: number;
}

function sum(parts: readonly Part[]): Size {
  const characters = parts.reduce((total, part) => total + part.characters, 0);
  if (parts.some((part) => part.tokens === undefined)) return { characters };
  return { characters, tokens: parts.reduce((total, part) => total + (part.tokens ?? 0), 0) };
}

function size({ characters, tokens }: Size): string {
  const counted = `${characters} characters`;
  return tokens === undefined ? counted : `${tokens} tokens, ${counted}`;
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  text = '',
  className = '',
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = className;
  return made;
}
