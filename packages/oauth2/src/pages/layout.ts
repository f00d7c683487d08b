import { createHash } from 'node:crypto'
import { shield } from './icons.ts'
import { Html, markup } from './markup.ts'
import { style } from './style.ts'

/** How the pages of one server look. */
export interface Look {
  /** What the server calls itself on its pages. */
  readonly name: string
  /** The whole style sheet. */
  readonly css: string
  /** The source that a content security policy lists for it. */
  readonly cssSource: string
}

/** Makes the look of a server. @param css the application's own rules, which come last */
export function makeLook(name: string, css = ''): Look {
  // Nothing in a style sheet may end the element that it stands in.
  const whole = (style + css).replaceAll('</', '<\\/')
  return { name, css: whole, cssSource: `'sha256-${createHash('sha256').update(whole).digest('base64')}'` }
}

/** A whole page. @param title what the page is, for the title of the window */
export function layout(look: Look, title: string, content: Html): string {
  // The policy of the page names the hash of the sheet: not a blank may be added.
  const sheet = new Html(look.css)
  return markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} · ${look.name}</title>
        <style>${sheet}</style>
      </head>
      <body>
        <header>
          <p class="brand">${shield}<span>${look.name}</span></p>
        </header>
        <main>${content}</main>
      </body>
    </html>`.text
}
