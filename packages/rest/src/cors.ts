import type { FastifyCorsOptions } from '@fastify/cors'
import type { FastifyInstance } from 'fastify'

/** What LoopBack 2 answers to every origin. */
const everyOrigin: FastifyCorsOptions = {
  origin: true,
  credentials: true,
  methods: 'GET,HEAD,PUT,PATCH,POST,DELETE',
  strictPreflight: false
}

/**
 * Answers CORS for one prefix.
 * @see recordings version2/cors*
 */
export async function registerCors(scope: FastifyInstance, setting: boolean | FastifyCorsOptions): Promise<void> {
  if (setting === false) return
  const { default: cors } = await import('@fastify/cors')
  await scope.register(cors, setting === true ? everyOrigin : { strictPreflight: false, ...setting })
}
