import { lookup } from 'node:dns/promises'
import type { FastifyInstance } from 'fastify'
import type { Terminal } from '../terminal.ts'
import { CommandError } from '../errors.ts'
import type { BehindOptions } from './behind-options.ts'
import type { Behind } from './start-behind.ts'

/** The variable that sets the token of the control API. */
export const tokenVariable = 'MODELWIRE_CONTROL_TOKEN'

/**
 * The token for the control API from the environment.
 * @throws {CommandError} USAGE: a header cannot carry it
 */
export function tokenOf({ [tokenVariable]: token }: Terminal['env']): string | undefined {
  if (token === undefined || token === '') return undefined
  if (/^[\x21-\x7E]+$/.test(token)) return token
  throw new CommandError('USAGE', `${tokenVariable} must contain only visible ASCII characters, without spaces`)
}

/** Where to listen, and in front of which server. */
export interface ListenTask {
  /** Undefined if there is no old server. */
  readonly options: BehindOptions | undefined
  readonly host: string
  readonly port: number
  readonly terminal: Terminal
}

/** A listening server, and the gate between it and an old one. */
export interface Listening {
  readonly url: string
  readonly behind: Behind | undefined
}

/**
 * Makes a ready server listen: in front of an old one, if the command line sets `--behind`.
 * @throws {CommandError} what `startBehind` throws, or USAGE: the token of the environment is malformed
 */
export async function listen(server: FastifyInstance, task: ListenTask): Promise<Listening> {
  const { host, port, terminal, options } = task
  if (options === undefined) return { url: await server.listen({ host, port }), behind: undefined }
  const { startBehind } = await import('./start-behind.ts')
  const behind = await startBehind(server, options, tokenOf(terminal.env))
  try {
    // Fastify would make a server of its own for each further address of this name.
    const url = await server.listen({ host: host === 'localhost' ? (await lookup(host)).address : host, port })
    printControl(server, behind, options.controlFile, terminal)
    return { url, behind }
  } catch (error) {
    await behind.close()
    throw error
  }
}

/** A log may be read by others than those who may hand routes over: it does not hold the token. */
function printControl(server: FastifyInstance, { access }: Behind, file: string, terminal: Terminal): void {
  const { url, token } = access
  if (terminal.isInteractive) terminal.out(terminal.style('green', `Control page at ${url}/#${token}`))
  else server.log.info(`Control API at ${url}; its token is in ${file}`)
}
