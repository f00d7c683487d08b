import type { ModelRegistry } from '@modelwire/core'
import type { FastifyInstance } from 'fastify'
import type { OpsSettings } from './options.ts'

type HealthCheck = ModelRegistry['healthChecks'][number]

type Health = 'up' | 'down'

type PartsOfAKind = Readonly<Record<string, Health>>

/** The parts of each kind by name. A kind without parts is absent, except data sources. */
type Parts = Partial<Record<HealthCheck['kind'], PartsOfAKind>> & { dataSources: PartsOfAKind }

/** Whether a server can answer calls of its models. */
export type Readiness = Readonly<Parts> & { readonly status: 'ready' | 'unavailable' | 'closing' }

/** Rejects unless a part can be used, and says so in time. */
async function checkWithin({ check }: HealthCheck, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds)
  })
  try {
    await Promise.race([check(), late])
  } finally {
    clearTimeout(timer)
  }
}

/** How parts of a kind are named in the log, and at which level a failure is logged. */
interface LoggedKind {
  readonly key: string
  readonly part: string
  readonly level: 'error' | 'warn'
}

const logged: Readonly<Record<HealthCheck['kind'], LoggedKind>> = {
  dataSources: { key: 'dataSource', part: 'a data source', level: 'error' },
  sharedState: { key: 'sharedState', part: 'the shared state', level: 'warn' },
  changeTransports: { key: 'dataSource', part: 'the transport of changes', level: 'warn' }
}

/** Checks one part. Why it is down is logged once. @param down the checks that failed last time */
async function ask(
  { log }: Pick<FastifyInstance, 'log'>,
  check: HealthCheck,
  { milliseconds, down }: { readonly milliseconds: number; readonly down: Set<HealthCheck> }
): Promise<Health> {
  const { key, part, level } = logged[check.kind]
  const data = { [key]: check.name }
  try {
    await checkWithin(check, milliseconds)
    if (down.delete(check)) log.info(data, `${part} answers again`)
    return 'up'
  } catch (err) {
    if (!down.has(check)) log[level]({ err, ...data }, `${part} does not answer`)
    down.add(check)
    return 'down'
  }
}

async function askAll(app: FastifyInstance, milliseconds: number, down: Set<HealthCheck>): Promise<Parts> {
  const parts: Parts = { dataSources: {} }
  const asked = app.models.healthChecks.map(async (check) => ({
    check,
    health: await ask(app, check, { milliseconds, down })
  }))
  const all = await Promise.all(asked)
  for (const { check, health } of all) parts[check.kind] = { ...parts[check.kind], [check.name]: health }
  return parts
}

/**
 * Makes the function that checks whether a server is ready: its data sources are up. Concurrent requests share one check of
 * the server's parts, whose result is cached for a while. Clients do not see why a part is down.
 */
export function makeReadiness(
  app: FastifyInstance,
  { timeout, cache }: Pick<OpsSettings, 'timeout' | 'cache'>
): () => Promise<Readiness> {
  let isClosing = false
  let last: { readonly parts: Parts; readonly until: number } | undefined
  let asking: Promise<Parts> | undefined
  const down = new Set<HealthCheck>()
  app.addHook('preClose', (done) => {
    isClosing = true
    done()
  })

  const askAnew = async (): Promise<Parts> => {
    const parts = await askAll(app, timeout * 1000, down)
    last = { parts, until: performance.now() + cache * 1000 }
    asking = undefined
    return parts
  }

  return async () => {
    const isFresh = last !== undefined && performance.now() < last.until
    const parts = isFresh && last !== undefined ? last.parts : await (asking ??= askAnew())
    if (isClosing) return { status: 'closing', ...parts }
    // Without the others most requests are answered: all servers share them, and would be taken out at the same time.
    return { status: Object.values(parts.dataSources).includes('down') ? 'unavailable' : 'ready', ...parts }
  }
}
