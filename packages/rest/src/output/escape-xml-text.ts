const special = /[<&\uFFFE\uFFFF]|\]\]>|\p{Cc}|\p{Surrogate}/gu
const escapes: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '&': '&amp;',
  ']]>': ']]&gt;',
  '\r': '&#xD;',
  '\t': '\t',
  '\n': '\n'
}
const firstAllowedControl = '\u007f'

/** `text` for the inside of an element. What is not a character of XML becomes U+FFFD. */
export function escapeXmlText(text: string): string {
  return text.replace(special, escapeOne)
}

function escapeOne(found: string): string {
  return escapes[found] ?? (isAllowedControl(found) ? found : '\ufffd')
}

/** Delete and the controls after it. */
function isAllowedControl(found: string): boolean {
  return found >= firstAllowedControl && found <= '\u009f'
}
