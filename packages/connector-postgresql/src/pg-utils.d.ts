declare module 'pg/lib/utils.js' {
  /** The value as the server takes it: text, bytes, or null. */
  export const prepareValue: (value: unknown) => string | Buffer | null
}
