const replacements: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;'
}

/** Text that is HTML already: made by {@link markup} alone, so that no text of a client or user becomes markup. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** What may stand in a template: text, which is escaped, or HTML. Nothing is written for undefined and false. */
export type HtmlValue = string | number | undefined | false | Html | readonly Html[]

/** Text as it may stand between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => replacements[sign] ?? '')
}

function write(value: HtmlValue): string {
  if (value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  return Array.isArray(value) ? value.map(write).join('') : escapeHtml(String(value))
}

/** A template of HTML. Values are escaped; they stand between tags or in attributes with quotes. */
export function markup(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const written = values.map(write)
  return new Html(parts.map((part, index) => part + (written[index] ?? '')).join(''))
}

/** An address for a link; undefined for anything but http and https, such as `javascript:`. */
export function linkTo(address: unknown): string | undefined {
  if (typeof address !== 'string' || !URL.canParse(address)) return undefined
  const url = new URL(address)
  return ['http:', 'https:'].includes(url.protocol) ? url.href : undefined
}
