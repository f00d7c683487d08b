import type { FastifyInstance } from 'fastify'
import type { OpsSettings } from './options.ts'

/** Whether a server can answer calls of its models. */
export interface Readiness {
  readonly status: 'ready' | 'unavailable' | 'closing'
  /** By name. */
  readonly dataSources: Readonly<Record<string, 'up' | 'down'>>
}

type DataSource = FastifyInstance['models']['dataSources'] extends ReadonlyMap<string, infer Source> ? Source : never

/** Rejects unless the database answers in time. */
async function pingWithin({ connection, connector }: DataSource, milliseconds: number): Promise<void> {
  if (connection.state !== 'open') throw new Error(`the connection is ${connection.state}`)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds)
  })
  try {
    await Promise.race([connector.ping(), late])
  } finally {
    clearTimeout(timer)
  }
}

/** Asks one data source. Why it is down is logged once. @param down names of those that did not answer last time */
async function ask(
  { log }: Pick<FastifyInstance, 'log'>,
  dataSource: DataSource,
  { milliseconds, down }: { readonly milliseconds: number; readonly down: Set<string> }
): Promise<'up' | 'down'> {
  const { name } = dataSource
  try {
    await pingWithin(dataSource, milliseconds)
    if (down.delete(name)) log.info({ dataSource: name }, 'a data source answers again')
    return 'up'
  } catch (err) {
    if (!down.has(name)) log.error({ err, dataSource: name }, 'a data source does not answer')
    down.add(name)
    return 'down'
  }
}

/**
 * Makes the function that finds out whether a server is ready. Requests at the same time share one question to the data sources, whose
 * answer holds for a while. Why one is down is not told to clients.
 */
export function makeReadiness(
  app: FastifyInstance,
  { timeout, cache }: Pick<OpsSettings, 'timeout' | 'cache'>
): () => Promise<Readiness> {
  let isClosing = false
  let last: { readonly until: number; readonly dataSources: Readiness['dataSources'] } | undefined
  let asking: Promise<Readiness['dataSources']> | undefined
  const down = new Set<string>()
  app.addHook('preClose', (done) => {
    isClosing = true
    done()
  })

  const askAll = async (): Promise<Readiness['dataSources']> => {
    const sources = [...app.models.dataSources.values()]
    const states = await Promise.all(
      sources.map(async (each) => [each.name, await ask(app, each, { milliseconds: timeout * 1000, down })] as const)
    )
    const dataSources = Object.fromEntries(states)
    last = { until: performance.now() + cache * 1000, dataSources }
    asking = undefined
    return dataSources
  }

  return async () => {
    const isFresh = last !== undefined && performance.now() < last.until
    const dataSources = isFresh && last !== undefined ? last.dataSources : await (asking ??= askAll())
    if (isClosing) return { status: 'closing', dataSources }
    return { status: Object.values(dataSources).includes('down') ? 'unavailable' : 'ready', dataSources }
  }
}
