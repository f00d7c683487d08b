import { CommandError } from '../errors.ts'
import type { FastifyInstance } from 'fastify'
import { makeAsking } from './compare/ask-sides.ts'
import { makeBackground } from './compare/background.ts'
import { makeByteBudget } from './compare/byte-budget.ts'
import { makeReadWatch } from './compare/read-watch.ts'
import { type ControlAccess, makeToken, removeControlFile, writeControlFile } from './control/control-file.ts'
import { makeControlServer } from './control/control-server.ts'
import type { BehindOptions } from './behind-options.ts'
import { makeGate } from './gate.ts'
import { intercept } from './intercept.ts'
import { type OldServer, openOldServer } from './pass-on/old-server.ts'
import { makeTunnels } from './pass-on/tunnel.ts'
import { makeRouteTable, type RouteTable } from './routes/route-table.ts'
import { Handover } from './state/handover.ts'
import { readState } from './state/state-file.ts'
import { makeErrorWatch } from './watch-errors.ts'

/** Comparisons that run at once, and those that may wait. */
const comparisonsAtOnce = 4
const comparisonsWaiting = 200
/** Bytes of all answers that wait to be compared. */
const comparedBytes = 64 * 1024 * 1024
/** Milliseconds that an answer may take that is only compared. */
const comparisonTime = 30_000

/** A server that stands before another one. */
export interface Behind {
  readonly access: ControlAccess
  /** Ends what the server itself does not end; the server is closed first. */
  readonly close: () => Promise<void>
  /** Ends web sockets, which would keep the server from closing. */
  readonly endSockets: () => void
}

/** @throws {CommandError} BEHIND_UNSUPPORTED: the server speaks HTTP/2 */
function checkServer({ initialConfig }: FastifyInstance): void {
  if (initialConfig.http2 === true)
    throw new CommandError('BEHIND_UNSUPPORTED', '--behind needs a server of HTTP/1.1: leave http2 out of its options')
}

/** Records in memory are seen by one process alone. */
function warnOfMemory({ models, log }: FastifyInstance): void {
  for (const { name, connector } of models.dataSources.values())
    if (connector.name === 'memory')
      log.warn(`data source ${name} keeps its records in memory: this server and the old one each have their own`)
}

/** @throws {CommandError} USAGE: a method of `--reads` is not there */
function checkReads({ entries }: RouteTable, methods: readonly string[]): void {
  const unknown = methods.find((name) => !entries.some((entry) => entry.name === name))
  if (unknown !== undefined) throw new CommandError('USAGE', `--reads: no method is called ${unknown}`)
}

/**
 * Puts a server that is ready, and does not listen yet, before an old one: requests go to the owner of their route.
 * @throws {CommandError} the state file cannot be read, an option names what is not there, or the control port is taken
 */
export async function startBehind(
  server: FastifyInstance,
  options: BehindOptions,
  suppliedToken: string | undefined
): Promise<Behind> {
  checkServer(server)
  const { log } = server
  const table = makeRouteTable(server, options.alsoReading)
  checkReads(table, options.alsoReading)
  warnOfMemory(server)
  const handover = new Handover(table, options.stateFile, await readState(options.stateFile), log)
  const old = openOldServer(options, comparisonsAtOnce * 2)
  const background = makeBackground(comparisonsAtOnce, comparisonsWaiting)
  const tunnels = makeTunnels(old, log)
  const token = suppliedToken ?? makeToken()
  const control = makeControlServer({ table, handover, old: old.url, token, log })
  const stopping = new AbortController()
  const close = async (): Promise<void> => {
    tunnels.close()
    stopping.abort()
    await control.close()
    await background.close()
    await handover.close()
    await old.close()
  }
  try {
    const url = await control.listen({ host: '127.0.0.1', port: options.controlPort })
    intercept(
      server.server,
      makeParts(server, { table, handover, old, background, options, stopped: stopping.signal }),
      tunnels
    )
    const access = { url, token }
    await keepAccess(options.controlFile, access, log)
    return { access, endSockets: tunnels.close, close: async () => endAll(close, options.controlFile, access) }
  } catch (error) {
    await close()
    throw error
  }
}

async function endAll(close: () => Promise<void>, file: string, access: ControlAccess): Promise<void> {
  await removeControlFile(file, access)
  await close()
}

/** Without the file the command has to be given the address and the token. */
async function keepAccess(file: string, access: ControlAccess, log: FastifyInstance['log']): Promise<void> {
  try {
    await writeControlFile(file, access)
  } catch (error) {
    log.warn({ err: error }, `${file} cannot be written: give modelwire handover --url and MODELWIRE_CONTROL_TOKEN`)
  }
}

interface Made {
  readonly table: RouteTable
  readonly handover: Handover
  readonly old: OldServer
  readonly background: ReturnType<typeof makeBackground>
  readonly options: BehindOptions
  readonly stopped: AbortSignal
}

function makeParts(server: FastifyInstance, made: Made): ReturnType<typeof makeGate> {
  const { table, handover, old, background, options, stopped } = made
  const { log } = server
  const { compareLimit: limit, rules, sample, after } = options
  const ask = makeAsking(server, old, { timeout: comparisonTime, limit, stopped })
  const reads = makeReadWatch({
    old,
    comparison: { ask, rules },
    background,
    limits: { limit, budget: makeByteBudget(comparedBytes) },
    sample,
    after,
    handover,
    log
  })
  const errors = options.handBackOnError ? makeErrorWatch({ old, askOld: ask.old, handover, log }) : undefined
  return makeGate({ table, old, reads, errors, log })
}
