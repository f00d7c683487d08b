/** The name in quotes that it cannot break out of. */
export const quoteName = (name: string): string => `\`${name.replaceAll('`', '``')}\``
