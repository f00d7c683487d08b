/**
 * The text behind a key or value of a query string: `+` is a blank, percent sequences are UTF-8. Text with an invalid
 * sequence stays as it is, apart from `+` and brackets.
 * @see qs 6, lib/parse.js and lib/utils.js
 */
export function decodeFormText(encoded: string): string {
  const text = encoded.includes('+') ? encoded.replaceAll('+', ' ') : encoded
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text.replace(/%5b/gi, '[').replace(/%5d/gi, ']')
  }
}
