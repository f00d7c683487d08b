import { migrate } from '@modelwire/core'
import type { FastifyInstance } from 'fastify'
import { buildFolder } from './build-folder.ts'
import { buildProject } from './build-project.ts'
import { seed } from './seed.ts'

/** Two servers of one library. */
export interface Library {
  readonly project: FastifyInstance
  readonly folder: FastifyInstance
  /** What was done to the database, in words. */
  readonly steps: readonly string[]
  readonly close: () => Promise<void>
}

/** Builds both servers on the database at this address, makes its tables, and fills them when they are empty. */
export async function startLibrary(url: string): Promise<Library> {
  const servers: FastifyInstance[] = []
  const close = async () => void (await Promise.all(servers.map(async (server) => server.close())))
  try {
    const project = await buildProject(url)
    servers.push(project)
    const folder = await buildFolder(url)
    servers.push(folder)
    // The second one finds nothing left to do: both describe the same tables.
    const plans = [...(await migrate(project.models)), ...(await migrate(folder.models))]
    const steps = plans.flatMap((plan) => plan.steps.map(({ description }) => description))
    const isFilled = await seed(project.models)
    return { project, folder, steps: isFilled ? [...steps, 'fill the empty library'] : steps, close }
  } catch (error) {
    await close()
    throw error
  }
}
