import type { Finding } from '@modelwire/boot'
import { DefinitionError, type ModelRegistry } from '@modelwire/core'
import { withoutListening } from '@modelwire/core/plugin'
import { type BuildServer, startProject } from './load-project.ts'

/** What a start of a project, without listening, shows. */
export interface ProjectExamination {
  readonly dir: string
  readonly findings: readonly Finding[]
  /** Undefined where the project does not start. */
  readonly served: { readonly models: readonly string[]; readonly paths: readonly string[] } | undefined
}

function servedBy({ mounts }: ModelRegistry): NonNullable<ProjectExamination['served']> {
  const names = mounts.flatMap(({ routes }) => routes.map(({ operation }) => operation.model.name))
  return { models: [...new Set(names)], paths: mounts.map(({ prefix }) => prefix || '/') }
}

function findingOf({ message, code, where: { file, model, key } }: DefinitionError): Finding {
  const place = [model, key].filter(Boolean).join(' ')
  return { effect: 'fails', file: file ?? 'package.json', key: place, code, reason: message }
}

/** Starts a project without listening, its data sources too, and ends it: a definition that is wrong is a finding. */
export async function examineProject(dir: string, build: BuildServer): Promise<ProjectExamination> {
  try {
    const server = await withoutListening(async () => startProject(build, { logger: false }))
    const served = servedBy(server.models)
    await server.close()
    return { dir, findings: [], served }
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error
    return { dir, findings: [findingOf(error)], served: undefined }
  }
}
