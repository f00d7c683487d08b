import { CommandError } from '../errors.ts'
import type { FastifyInstance, FastifyBaseLogger } from 'fastify'
import { makeAsking, type Ask, isRepeatable, makeRepeatable } from './compare/ask-sides.ts'
import { makeBackground } from './compare/compare-read.ts'
import { makeByteBudget } from './compare/capture-answer.ts'
import { makeReadWatch } from './compare/read-watch.ts'
import { type ControlAccess, makeToken, removeControlFile, writeControlFile } from './control/control-file.ts'
import { makeControlServer } from './control/control-server.ts'
import type { BehindOptions } from './behind-options.ts'
import { makeGate } from './gate.ts'
import { intercept } from './intercept.ts'
import { type OldServer, openOldServer } from './pass-on/old-server.ts'
import { makeTunnels } from './pass-on/tunnel.ts'
import { makeRouteTable, type RouteTable, type RouteEntry } from './routes/route-table.ts'
import { Handover } from './routes/handover.ts'
import { readState } from './routes/state-file.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** Inspects a response of Modelwire to a client. */
export type WatchErrors = (entry: RouteEntry, req: IncomingMessage, res: ServerResponse) => void

/** The dependencies of switching routes back. */
interface ErrorWatchParts {
  readonly old: OldServer
  readonly askOld: Ask
  readonly handover: Handover
  readonly log: FastifyBaseLogger
}

/** Comparisons that run at once, and those that may wait. */
const comparisonsAtOnce = 4
const comparisonsWaiting = 200
/** Bytes of all answers that wait to be compared. */
const comparedBytes = 64 * 1024 * 1024
/** Milliseconds that an answer may take that is only compared. */
const comparisonTime = 30_000

/** A server in front of another one. */
export interface Behind {
  readonly access: ControlAccess
  /** Closes what the server itself does not; call it after closing the server. */
  readonly close: () => Promise<void>
  /** Closes WebSockets, which would keep the server from closing. */
  readonly endSockets: () => void
}

/** @throws {CommandError} BEHIND_UNSUPPORTED: the server speaks HTTP/2 */
function checkServer({ initialConfig }: FastifyInstance): void {
  if (initialConfig.http2 === true)
    throw new CommandError('BEHIND_UNSUPPORTED', '--behind requires an HTTP/1.1 server: remove http2 from its options')
}

/** Records in memory are seen by one process alone. */
function warnOfMemory({ models, log }: FastifyInstance): void {
  for (const { name, connector } of models.dataSources.values())
    if (connector.name === 'memory')
      log.warn(`data source ${name} keeps its records in memory: this server and the old one do not share them`)
}

/** @throws {CommandError} USAGE: a method of `--reads` is not there */
function checkReads({ entries }: RouteTable, methods: readonly string[]): void {
  const unknown = methods.find((name) => !entries.some((entry) => entry.name === name))
  if (unknown !== undefined) throw new CommandError('USAGE', `--reads: unknown method ${unknown}`)
}

/**
 * Puts a server that is ready, but not listening yet, in front of an old one: requests go to the owner of their route.
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
    log.warn({ err: error }, `${file} cannot be written: pass --url and MODELWIRE_CONTROL_TOKEN to modelwire handover`)
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

/**
 * Switches a route back as soon as it answers with a server error. A read without a body is sent to the old server
 * first, which keeps the route where it fails as well; any other request is not sent twice, and its route goes back at
 * once.
 */
function makeErrorWatch({ old, askOld, handover, log }: ErrorWatchParts): WatchErrors {
  const asking = new Set<RouteEntry>()
  const oldFails = async (req: IncomingMessage): Promise<boolean> => {
    try {
      const answer = await askOld(makeRepeatable(req, old))
      return answer !== undefined && answer.status >= 500
    } catch (error) {
      log.warn({ err: error }, 'the old server was asked instead, but did not answer')
      return true
    }
  }
  const decide = async (entry: RouteEntry, req: IncomingMessage): Promise<void> => {
    if (asking.has(entry) || entry.owner === 'old') return
    asking.add(entry)
    try {
      const mayAsk = entry.reads && isRepeatable(req)
      if (!mayAsk || !(await oldFails(req))) await handover.assignInBackground(entry, 'old', 'error')
    } finally {
      asking.delete(entry)
    }
  }
  return (entry, req, res) => {
    res.once('close', () => {
      if (res.statusCode < 500 || !res.headersSent) return
      entry.evidence.serverErrors += 1
      void decide(entry, req)
    })
  }
}
