import { pageScript } from './page-script.ts'
import { pageStyle } from './page-style.ts'

/** A page with the script and the sheet that it holds. */
export interface ControlPage {
  readonly html: string
  readonly script: string
  readonly style: string
}

const heads = ['Route', 'Answered by', 'Requests', 'Equal', 'Different', 'Not compared', 'Action']

const headCell = (text: string, at: number): string =>
  `<th scope="col"${at > 1 && at < 6 ? ' class="number"' : ''}>${text}</th>`

/** The control page. It holds no facts: its script fetches them with the token after the `#` of its address. */
export function controlPage(): ControlPage {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>modelwire serve --behind</title><style>${pageStyle}</style></head>
<body><main><h1>Modelwire before <span id="old">the old server</span></h1>
<p id="alert" role="alert"></p><p id="status" role="status"></p>
<form id="door" hidden><div class="bar"><label for="token">Token, as printed at the start<input id="token" type="password" autocomplete="off" required></label><button type="submit">Show</button></div></form>
<div id="evidence" hidden><p id="summary"></p>
<div class="bar"><label for="filter">Show only<input id="filter" type="search" placeholder="Product, or GET /api"></label>
<button id="over" type="button">Hand over those shown</button><button id="back" type="button">Hand back those shown</button></div>
<section aria-labelledby="routes-title"><h2 id="routes-title">Routes</h2>
<table><thead><tr>${heads.map(headCell).join('')}</tr></thead><tbody id="routes"></tbody></table></section>
<section aria-labelledby="differences-title"><h2 id="differences-title">Differences</h2>
<p id="none">No answers differed.</p><div id="some" hidden><h3>In what answers differ, with the latest example</h3><div id="groups"></div>
<h3>The latest requests with different answers</h3><div id="latest"></div></div></section></div></main>
<script>${pageScript}</script></body></html>
`
  return { html, script: pageScript, style: pageStyle }
}
