/** What a user of the command did wrong, or has to decide. Printed without a stack. */
export class CommandError extends Error {
  /** Names what happened, for scripts. */
  readonly code: string
  readonly exitCode: number

  constructor(code: string, message: string, exitCode = 2, options: ErrorOptions = {}) {
    super(message, options)
    this.name = 'CommandError'
    this.code = code
    this.exitCode = exitCode
  }
}
