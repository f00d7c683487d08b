/**
 * The text behind a key or value of a query string or an urlencoded body: `+` is a blank, percent sequences are UTF-8.
 * Text with an invalid sequence stays as it is, apart from `+`.
 */
export function decodeFormText(encoded: string): string {
  const text = encoded.includes('+') ? encoded.replaceAll('+', ' ') : encoded
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
