import { createHash } from "node:crypto";
import { type Html, html, ownText } from "./html-text.ts";
import { PAGE_STYLE } from "./page-style.ts";

/** A part of a page with a heading, which the page links to. */
export interface PageSection {
  readonly title: string;
  readonly content: Html;
}

export interface Page {
  readonly title: string;
  /** What kind of page it is, in a word or two above the name. */
  readonly kicker: string;
  readonly name: string;
  /** What stands below the name. */
  readonly head: Html;
  readonly sections: readonly PageSection[];
  /** The version of outreach. */
  readonly version: string;
}

/**
 * One self-contained page. Its policy allows its own style alone: no script, no picture, no font, no form and no request, whatever a
 * value contains.
 */
export function pageText({ title, kicker, name, head, sections, version }: Page): string {
  const policy = `default-src 'none'; style-src '${hashOf(PAGE_STYLE)}'; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        ${ownText(`<style>${PAGE_STYLE}</style>`)}
      </head>
      <body>
        <header>
          <p class="kicker">${kicker}</p>
          <h1>${name}</h1>
          ${head} ${sections.length > 1 ? linksHtml(sections) : ""}
        </header>
        <main>${sections.map(sectionHtml)}</main>
        <footer>Made by outreach ${version}. This page contains no secrets.</footer>
      </body>
    </html> `.html;
}

function linksHtml(sections: readonly PageSection[]): Html {
  return html`<nav aria-label="On this page">
    ${sections.map(({ title }, index) => html`<a href="#part-${index}">${title}</a>`)}
  </nav>`;
}

function sectionHtml({ title, content }: PageSection, index: number): Html {
  return html`<section id="part-${index}">
    <h2>${title}</h2>
    ${content}
  </section> `;
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
