/** What a name of the database stands for. */
export type NameKind = 'model' | 'property' | 'relation'

/**
 * The conventional name of a model (`order_item` → `OrderItem`) or property (`CREATED_AT`, `created-at` → `createdAt`).
 * Capitals within a word stay.
 */
export function conventionalName(kind: NameKind, name: string): string {
  const words = name.split(/[^\p{L}\p{N}$]+/u).filter((word) => word !== '')
  const readable = words.map((word) => (word === word.toUpperCase() ? word.toLowerCase() : word))
  const joined = readable.map((word, at) => (at === 0 ? word : capitalize(word))).join('')
  return kind === 'model' ? capitalize(joined) : joined.charAt(0).toLowerCase() + joined.slice(1)
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
