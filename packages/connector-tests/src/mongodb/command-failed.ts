/** A command is refused, with the code that a server has for it. */
export class CommandFailed extends Error {
  readonly code: number
  readonly codeName: string
  readonly more: Readonly<Record<string, unknown>>

  constructor(message: string, code: number, codeName: string, more: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.code = code
    this.codeName = codeName
    this.more = more
  }
}
