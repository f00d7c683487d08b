import type { Answer } from '../conversations/framework.ts'
import type { Application } from './application.ts'
import { type Compared, compareExchange } from './compare-exchange.ts'
import type { Description } from './description.ts'
import { nameOf, targetOf } from './operation-name.ts'
import type { Pair } from './pair.ts'
import { isSilence, type Request, send, writeRequest } from './request.ts'
import type { Persona } from './accounts.ts'

/** One request to both sides and what came of it. */
export interface Exchange extends Compared {
  readonly request: Request
  /** As LoopBack got it. */
  readonly line: string
  readonly loopback: Answer
  readonly modelwire: Answer
  /** A write of the same model went differently before, so that the records differ. */
  readonly follows: boolean
  /** The documented rules that allow all that differs; undefined where nothing differs, or something that no rule allows. */
  readonly allowed?: readonly string[]
}

/** Sends requests to both sides, or to LoopBack alone where Modelwire does not run. */
export interface Session {
  send(request: Request): Promise<Exchange>
  /** Signs a persona in for what follows. */
  signIn(persona: Persona, token: Pair): void
  readonly exchanges: readonly Exchange[]
  /** LoopBack did not answer this method in time before. */
  isSilent(method: string): boolean
  /** Several requests in a row had no answer from LoopBack: it has ended. */
  readonly hasEnded: boolean
}

const none: Answer = { status: 0, headers: {}, body: '' }
const isDone = ({ status }: Answer): boolean => status >= 200 && status < 300

/** The models whose records a request is about. */
export function modelsOf(description: Description, { operation }: Request): readonly string[] {
  const name = nameOf(operation)
  return [name.model, targetOf(description, name) ?? name.model]
}

/** A write that one side did and the other did not: from there on their records differ. */
export function isOneSided({ request, loopback, modelwire }: Omit<Exchange, 'follows'>): boolean {
  return !['get', 'head'].includes(request.operation.verb) && isDone(loopback) !== isDone(modelwire)
}

/** Opens a session with the roots of both APIs. */
export function openSession(
  description: Description,
  roots: { readonly loopback: string; readonly modelwire: string | undefined },
  { credentials: { headers = {} }, random }: Application
): Session {
  const exchanges: Exchange[] = []
  const tokens = new Map<Persona, Pair>()
  const changed = new Set<string>()
  const silent = new Set<string>()
  return {
    exchanges,
    isSilent: (method) => silent.has(method),
    get hasEnded() {
      return exchanges.length > 2 && exchanges.slice(-3).every(({ loopback }) => loopback.status === 0)
    },
    signIn: (persona, token) => void tokens.set(persona, token),
    async send(request) {
      const signedIn = { token: tokens.get(request.persona), headers: headers[request.persona] ?? {} }
      const mine = writeRequest('loopback', request, signedIn)
      const [loopback, modelwire] = await Promise.all([
        send(roots.loopback, mine),
        roots.modelwire === undefined ? none : send(roots.modelwire, writeRequest('modelwire', request, signedIn))
      ])
      const follows = modelsOf(description, request).some((model) => changed.has(model))
      const line = `${mine.method} ${mine.path}${typeof mine.body === 'string' ? ` ${mine.body}` : ''}`
      const exchange = { ...compareExchange(loopback, modelwire, random), request, line, loopback, modelwire, follows }
      if (isOneSided(exchange)) for (const model of modelsOf(description, request)) changed.add(model)
      if (isSilence(loopback)) silent.add(request.operation.method)
      exchanges.push(exchange)
      return exchange
    }
  }
}
