import { fileURLToPath } from 'node:url'
import { createServer } from '@modelwire/boot'
import type { FastifyInstance } from 'fastify'

const dir = fileURLToPath(new URL('../app', import.meta.url))

/** The library as an application folder. Its `datasources.json` uses the variable that is set here. */
export const buildFolder = async (url: string): Promise<FastifyInstance> =>
  createServer({ dir, variables: { ...process.env, LIBRARY_URL: url } })
