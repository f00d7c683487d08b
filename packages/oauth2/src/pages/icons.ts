import { markup } from './markup.ts'

/** A shield with a keyhole: stands for the server beside its name. */
export const shield = markup`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
  <path d="M16 2 4.5 6.2v8.6c0 7 4.7 12.3 11.5 15.2 6.8-2.9 11.5-8.2 11.5-15.2V6.2z" fill="var(--accent)" />
  <path d="M16 10.2a3.6 3.6 0 0 0-1.9 6.7L13.3 22h5.4l-.8-5.1A3.6 3.6 0 0 0 16 10.2z" fill="var(--card)" />
</svg>`

/** A tick. */
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

/** An exclamation mark. */
export const mark = markup`<svg viewBox="0 0 20 20" aria-hidden="true">
  <path d="M10 4v7.5M10 15.5v.1" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" />
</svg>`
