const plain = /^[A-Za-z_][\w.-]*$/
// Without two blanks that XML would allow: many parsers do not.
const start =
  'A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{167F}\\u{1681}-\\u{1FFF}\\u{200C}\\u{200D}\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FEFE}\\u{FF00}-\\u{FFFD}'
const later = `${start}\\-.0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}\\u{2040}`
const notLater = new RegExp(`[^${later}]`, 'gu')
const goodStart = new RegExp(`^[${start}]`, 'u')

/**
 * `name` as the name of an element: characters that a name cannot have become `_`, and one is put before a start that
 * is not allowed. A colon counts as such a character, since namespaces are never declared.
 * @see Namespaces in XML 1.0, NCName
 */
export function elementName(name: string): string {
  if (plain.test(name)) return name
  const cleaned = name.replace(notLater, '_')
  return goodStart.test(cleaned) ? cleaned : `_${cleaned}`
}
