/** False for texts that databases do not hold: U+0000, and halves of surrogate pairs. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
