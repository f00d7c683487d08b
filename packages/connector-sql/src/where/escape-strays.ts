/** The text for a `like` whose escape is a backslash: one that takes no meaning away stands for itself. */
export function escapeStrays(like: string): string {
  return like.replaceAll(/\\[%_\\]|\\/g, (sign) => (sign.length === 2 ? sign : '\\\\'))
}
