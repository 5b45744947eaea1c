// Tests the playground in Chromium: node browser.mjs --chromium PATH --pages FOLDER --image FILE
//
// The folder has the manual and in it the playground, as published.

import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { scenarios } from "./scenarios.mjs";
import { serve } from "./serve.mjs";

const { values } = parseArgs({
  options: {
    chromium: { type: "string" },
    pages: { type: "string" },
    image: { type: "string" },
    only: { type: "string", default: "" },
  },
});

const server = await serve(values.pages);
const browser = await chromium.launch({
  executablePath: values.chromium,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});

let failures = 0;
const names = Object.keys(scenarios).filter((it) => it.includes(values.only));
if (names.length === 0) throw new Error(`no scenario has ${values.only} in its name`);
for (const name of names) {
  // A new context: without storage and service worker of the previous test.
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: new URL(server.address).origin });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  const foreign = [];
  context.on("request", (request) => {
    if (!request.url().startsWith(server.address) && !request.url().startsWith("data:")) foreign.push(request.url());
  });
  try {
    const address = `${server.address}playground/`;
    await scenarios[name]({ page, context, address, manual: server.address, image: values.image });
    if (errors.length > 0) throw new Error(`errors in the page: ${errors.join("; ")}`);
    if (foreign.length > 0) throw new Error(`the page asked other hosts: ${foreign.join(" ")}`);
    console.log(`ok   ${name}`);
  } catch (error) {
    failures++;
    console.log(`FAIL ${name}: ${error.stack}`);
    if (errors.length > 0) console.log(`     errors in the page: ${errors.join("; ")}`);
  }
  await context.close();
}
await browser.close();
server.close();
if (failures > 0) process.exit(1);
