import type { DataSource, MigrationHistory, RecordedMigration } from '@modelwire/core/connector'
import { MigrationFilesUnsupported } from '../errors.ts'
import { loadMigration, type Migration, type MigrationFile } from './migration-file.ts'

/** A data source with migration files, and the migrations that were applied to it. */
export interface FileSource {
  readonly name: string
  readonly history: MigrationHistory
  readonly recorded: readonly RecordedMigration[]
}

/** Files, data sources, and the files that no data source has fully applied. */
export interface Overview {
  readonly files: readonly MigrationFile[]
  readonly sources: readonly FileSource[]
  readonly unapplied: readonly Migration[]
}

type DataSources = ReadonlyMap<string, DataSource>

/** Where the migrations are. */
export interface MigrationPlace {
  readonly dataSources: DataSources
  readonly table: string
  /** Only these data sources; all when absent. */
  readonly wanted?: readonly string[] | undefined
}

/**
 * Reads which migrations the databases have recorded, and loads the files that are new to them.
 * @throws {MigrationFilesUnsupported} a file, or `wanted`, names a data source that keeps no migrations in files
 * @throws {MigrationFileInvalid} a file cannot be loaded
 */
export async function readOverview(files: readonly MigrationFile[], place: MigrationPlace): Promise<Overview> {
  const { dataSources, table, wanted } = place
  const sources: FileSource[] = []
  for (const name of wanted ?? [...dataSources.keys()]) {
    const history =
      wanted === undefined ? dataSources.get(name)?.connector.migrationHistory : historyOf(dataSources, name)
    if (history !== undefined) sources.push({ name, history, recorded: await history.read(table) })
  }
  const isApplied = ({ name }: MigrationFile): boolean =>
    sources.some(({ recorded }) => recorded.some((each) => each.name === name && each.state === 'applied'))
  const loaded = await Promise.all(files.filter((file) => !isApplied(file)).map(loadMigration))
  for (const { dataSource, path } of loaded) historyOf(dataSources, dataSource, path)
  const unapplied = loaded.filter(({ dataSource }) => sources.some(({ name }) => name === dataSource))
  return { files, sources, unapplied }
}

function historyOf(dataSources: DataSources, name: string, path?: string): MigrationHistory {
  const source = dataSources.get(name)
  const history = source?.connector.migrationHistory
  if (history !== undefined) return history
  const reason =
    source === undefined
      ? `unknown data source ${name}`
      : `the data source ${name} (${source.connector.name}) does not support migration files: only SQL databases do`
  throw new MigrationFilesUnsupported(path === undefined ? reason : `${reason}\n  in ${path}`)
}
