import { createHash } from 'node:crypto'

const replacements: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;'
}

/** Text that is already HTML: only made by {@link markup}, so that no text of a client or user becomes markup. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** The values in a template: text, which is escaped, or HTML. Undefined and false produce nothing. */
type HtmlValue = string | number | undefined | false | Html | readonly Html[]

/** Escapes text for use between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => replacements[sign] ?? '')
}

function write(value: HtmlValue): string {
  if (value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  return Array.isArray(value) ? value.map(write).join('') : escapeHtml(String(value))
}

/** A template of HTML. Values are escaped; they may be used between tags or in quoted attributes. */
export function markup(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const written = values.map(write)
  return new Html(parts.map((part, index) => part + (written[index] ?? '')).join(''))
}

/** A URL for a link; undefined for anything but http and https, such as `javascript:`. */
export function linkTo(address: unknown): string | undefined {
  if (typeof address !== 'string' || !URL.canParse(address)) return undefined
  const url = new URL(address)
  return ['http:', 'https:'].includes(url.protocol) ? url.href : undefined
}

/** The style of all pages: one inline sheet without external resources. Colours have a contrast of at least 4.5. */
export const style = `
:root{color-scheme:light dark;--page:#f2f4f7;--card:#fff;--ink:#16202e;--soft:#56627a;--line:#d4dae4;--field:#fff;--edge:#7b879c;
--accent:#2350c8;--accent-deep:#1b3f9f;--on-accent:#fff;--tint:#e9effc;--bad:#b3261e;--bad-tint:#fdeceb;--good:#1a7048;--good-tint:#e5f5ec;
--shade:0 1px 2px rgb(22 32 46/.06),0 12px 32px rgb(22 32 46/.1)}
@media (prefers-color-scheme:dark){:root{--page:#0e131b;--card:#181f2a;--ink:#eaeff7;--soft:#a3afc3;--line:#2f3949;--field:#10161f;--edge:#75829a;
--accent:#8fb0ff;--accent-deep:#adc5ff;--on-accent:#0d1a3a;--tint:#202d49;--bad:#ff9d94;--bad-tint:#3a2021;--good:#7fd6a6;--good-tint:#173226;
--shade:0 1px 2px rgb(0 0 0/.4),0 12px 32px rgb(0 0 0/.35)}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;align-items:center;justify-content:center;gap:1.25rem;
padding:1.5rem 1rem;background:var(--page);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
.brand{display:flex;align-items:center;gap:.6rem;margin:0;font-weight:650;letter-spacing:-.01em;max-width:27rem;overflow-wrap:anywhere}
.mark{width:2rem;height:2rem;flex:none}
main{width:100%;max-width:27rem;padding:2rem;background:var(--card);border:1px solid var(--line);border-radius:1rem;box-shadow:var(--shade)}
h1{margin:0 0 .375rem;font-size:1.5rem;line-height:1.25;letter-spacing:-.015em;overflow-wrap:anywhere;text-wrap:balance}
h2{margin:1.5rem 0 .5rem;font-size:.9375rem;line-height:1.4;overflow-wrap:anywhere}
p{margin:0 0 1rem}
.lead{color:var(--soft);margin-bottom:1.5rem;overflow-wrap:anywhere}
main>:last-child{margin-bottom:0}
.note{color:var(--soft);font-size:.875rem;margin:1.25rem 0 0;overflow-wrap:anywhere}
strong,b{font-weight:650;color:var(--ink);overflow-wrap:anywhere}
label{display:block;margin:0 0 .375rem;font-weight:600;font-size:.9375rem}
.field{margin-bottom:1.125rem}
input[type=text],input[type=password]{display:block;width:100%;min-height:2.875rem;padding:.5rem .75rem;font:inherit;color:inherit;background:var(--field);
border:1px solid var(--edge);border-radius:.625rem}
input[aria-invalid=true]{border-color:var(--bad);box-shadow:0 0 0 1px var(--bad)}
.code{font:600 1.5rem/1.3 ui-monospace,"SF Mono",Menlo,Consolas,monospace!important;letter-spacing:.16em;text-align:center;text-transform:uppercase}
.code::placeholder{color:var(--soft);opacity:1}
.hint{margin:.375rem 0 0;color:var(--soft);font-size:.875rem}
.alert{margin:0 0 1.25rem;padding:.75rem .875rem;border-radius:.625rem;border-left:4px solid var(--bad);background:var(--bad-tint);color:var(--bad);
font-size:.9375rem;font-weight:550;overflow-wrap:anywhere}
.actions{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.5rem}
button,.button{display:inline-flex;flex:1 1 9rem;align-items:center;justify-content:center;min-height:2.875rem;padding:.5rem 1.125rem;font:inherit;font-weight:650;
text-decoration:none;cursor:pointer;border:1px solid var(--edge);border-radius:.625rem;background:transparent;color:var(--ink)}
button:hover,.button:hover{background:var(--tint)}
.primary{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
.primary:hover{background:var(--accent-deep);border-color:var(--accent-deep)}
.quiet{display:inline;flex:none;min-height:1.5rem;padding:0;border:0;font-weight:600;text-decoration:underline;text-underline-offset:.15em;color:var(--accent)}
.quiet:hover{background:none;color:var(--accent-deep)}
a{color:var(--accent);text-underline-offset:.15em}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.who{display:flex;align-items:center;gap:.75rem;margin:0 0 1.25rem;padding:.75rem;border:1px solid var(--line);border-radius:.75rem}
.who div{line-height:1.35;overflow-wrap:anywhere;min-width:0}
.who strong{display:block}
.who form{margin-top:.25rem}
.who .quiet{font-size:.875rem}
.who small{display:block;color:var(--soft);font-size:.8125rem}
.face{flex:none;display:grid;place-items:center;width:2.5rem;height:2.5rem;border-radius:50%;background:var(--tint);color:var(--accent);font-weight:700;text-transform:uppercase}
.pair{display:flex;align-items:center;gap:.625rem;margin:0 0 1.25rem;color:var(--soft)}
.pair .face{width:3rem;height:3rem;border-radius:.875rem;font-size:1.25rem}
.pair .dots{width:1.75rem;border-top:2px dotted var(--edge)}
.scopes{margin:0;padding:0;list-style:none;border:1px solid var(--line);border-radius:.75rem}
.scopes li{display:flex;gap:.625rem;padding:.625rem .875rem;overflow-wrap:anywhere}
.scopes li+li{border-top:1px solid var(--line)}
.scopes li>span{min-width:0}
.scopes svg{flex:none;width:1.125rem;height:1.125rem;margin-top:.2rem;color:var(--good)}
.scopes code{display:block;color:var(--soft);font-size:.8125rem}
code{font-family:ui-monospace,"SF Mono",Menlo,Consolas,monospace;overflow-wrap:anywhere}
.big{display:block;margin:0 0 1.25rem;padding:.75rem;border-radius:.75rem;background:var(--tint);text-align:center;font-size:1.5rem;font-weight:650;letter-spacing:.12em}
.sign{display:grid;place-items:center;width:3rem;height:3rem;margin:0 0 1rem;border-radius:50%;background:var(--good-tint);color:var(--good)}
.sign.bad{background:var(--bad-tint);color:var(--bad)}
.sign svg{width:1.5rem;height:1.5rem}
dl{margin:1.25rem 0 0;padding:.875rem;border:1px solid var(--line);border-radius:.75rem;font-size:.875rem}
dt{color:var(--soft)}
dd{margin:0 0 .5rem;overflow-wrap:anywhere}
dd:last-child{margin:0}
@media (max-width:30rem){body{justify-content:flex-start;padding:1.25rem .875rem}main{padding:1.375rem 1.25rem;border-radius:.875rem}h1{font-size:1.375rem}}
@media (forced-colors:active){main,.face,.alert{border:1px solid}}
`

/** A shield with a keyhole: stands for the server beside its name. */
const shield = markup`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
  <path d="M16 2 4.5 6.2v8.6c0 7 4.7 12.3 11.5 15.2 6.8-2.9 11.5-8.2 11.5-15.2V6.2z" fill="var(--accent)" />
  <path d="M16 10.2a3.6 3.6 0 0 0-1.9 6.7L13.3 22h5.4l-.8-5.1A3.6 3.6 0 0 0 16 10.2z" fill="var(--card)" />
</svg>`

/** A tick icon. */
export const tick = markup`<svg viewBox="0 0 20 20" aria-hidden="true">
  <path
    d="m4 10.5 4 4 8-9"
    fill="none"
    stroke="currentColor"
    stroke-width="2.2"
    stroke-linecap="round"
    stroke-linejoin="round"
  />
</svg>`

/** An exclamation mark icon. */
export const mark = markup`<svg viewBox="0 0 20 20" aria-hidden="true">
  <path d="M10 4v7.5M10 15.5v.1" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" />
</svg>`

/** The look of a server's pages. */
export interface Look {
  /** The display name of the server on its pages. */
  readonly name: string
  /** The whole style sheet. */
  readonly css: string
  /** Its source for a content security policy. */
  readonly cssSource: string
}

/**
 * Makes the look of a server.
 * @param css the application's own rules, which come last
 */
export function makeLook(name: string, css = ''): Look {
  // Nothing in a style sheet may end the element that it stands in.
  const whole = (style + css).replaceAll('</', '<\\/')
  return { name, css: whole, cssSource: `'sha256-${createHash('sha256').update(whole).digest('base64')}'` }
}

/**
 * Renders a whole page.
 * @param title what the page is, for the title of the window
 */
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
