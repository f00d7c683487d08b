/** A text as LoopBack's files write it: a string, or a list of lines. Undefined when it is neither, or empty. */
export function textOf(written: unknown): string | undefined {
  const text = Array.isArray(written) ? written.join('\n') : written
  return typeof text === 'string' && text !== '' ? text : undefined
}

type Present<Value> = { [Key in keyof Value]?: Exclude<Value[Key], undefined> }

/** The members that are set. */
export function withoutAbsent<Value extends object>(value: Value): Present<Value> {
  // Entries of the same value, some of them left out.
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Present<Value>
}
