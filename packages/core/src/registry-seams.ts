import { checkDataSource } from './connector/data-sources.ts'
import { StatementReports } from './connector/statement-reports.ts'
import { limitAttemptsIn, makeSharedState, type SharedState, type Purge } from '@modelwire/server'
import type { AccessControl } from './contract/access-control.ts'
import { readFromReplicas } from './caller/replica-reads.ts'
import type { ChangeLog } from './contract/change-log.ts'
import type { ActionHooks } from './contract/action-hooks.ts'
import type { DataSource, HealthCheck } from './contract/data-source.ts'
import type { EndSessions } from './contract/registry.ts'
import type { ModelType } from './contract/model-type.ts'
import type { Mount } from './operations/mount.ts'
import type { CallerCheck } from './operations/operation.ts'
import type { OperationContext, ScriptObjects } from './operations/operation-context.ts'
import type { IncludeLoader, RelatedFilter } from './contract/relation.ts'

/** LoopBack's built-in models whose records, like those of models that extend them, decide who may do what. */
const builtInAccessModels = ['User', 'AccessToken', 'ACL', 'Role', 'RoleMapping', 'Scope'] as const

/** What other packages install into a registry, and what they share through it. */
export class RegistrySeams {
  /** Checks during a long call that its caller is still authenticated. */
  readonly callerChecks: CallerCheck[] = []
  /** Other stores of users' tokens: called to revoke those of users whose password changed. */
  readonly sessionEnds: EndSessions[] = []
  /** Names of the models whose records, like those of models that extend them, control access. */
  readonly accessModels = new Set<string>(builtInAccessModels)
  /** Roles in rules of packages: they may be stored later, or never. */
  readonly laterRoles = new Set<string>()
  /** The state shared by the application's processes; limited to this process without the option `sharedState`. */
  readonly shared: SharedState = makeSharedState()
  /** Counts failed authentication attempts, for all plugins together. */
  readonly attempts: ReturnType<typeof limitAttemptsIn> = limitAttemptsIn(this.shared.cells)
  /** Statements of the data sources' connectors, for metrics and traces. */
  readonly statements: StatementReports = new StatementReports()
  /** Periodic purges of expired data, each in one process at a time: see `addPurge`. */
  readonly purges: Purge[] = []
  /** The change logs by data source: added by `changes` before routes are mounted, or data sources are opened. */
  readonly changeLogs = new Map<string, ChangeLog>()
  /** `changes` is installed: it reads the logs of models that log their changes. */
  readsChangeLogs = false
  /** Where operations are served over HTTP, in mounting order. */
  readonly mounts: Mount[] = []
  /** Reads related records; undefined until `relations` installs one. */
  includeLoader: IncludeLoader | undefined
  /** Filters by related records; undefined until `relations` installs one. */
  relatedFilter: RelatedFilter | undefined
  /** Decides what clients may see and change; undefined until `acl` installs it: they may do everything. */
  accessControl: AccessControl | undefined
  /** Makes the `options` of a client's call, replacing those that only name its token; undefined keeps these. */
  optionsOfCall: ((context: OperationContext) => Readonly<Record<string, unknown>> | undefined) | undefined
  /** Functions around actions on records; undefined until `boot` installs them for scripts. */
  actionHooks: ActionHooks | undefined
  /** The requests and responses that scripts see; Node's objects until `loopback/express` installs it. */
  scriptObjects: ScriptObjects | undefined
  readonly #healthChecks = new Map<string, HealthCheck>()
  /** Some model has an observer, so that calls carry their caller. */
  observed = false
  /** Models that replace built-in ones, by the name of these: a cache of `modelByType` once routes are mounted. */
  readonly builtIns = new Map<string, ModelType | undefined>()
  /** Runs work such as a report, whose reads may be served by replicas until it writes; by default only read requests are. */
  readonly readFromReplicas: <Result>(work: () => Result) => Result = readFromReplicas

  /** Adds a periodic purge of expired data. Call it before the server is ready. */
  addPurge(purge: Purge): void {
    this.purges.push(purge)
  }

  /** Adds a health check of a dependency, replacing one of the same kind and name. */
  addHealthCheck(check: HealthCheck): void {
    this.#healthChecks.set(`${check.kind} ${check.name}`, check)
  }

  /** Lets a data source report its statements and its health. */
  protected watched(dataSource: DataSource): DataSource {
    this.addHealthCheck(checkDataSource(dataSource))
    return this.statements.add(dataSource)
  }

  /** The health checks of the server's dependencies: data sources, and those that packages added. */
  get healthChecks(): readonly HealthCheck[] {
    return [...this.#healthChecks.values()]
  }
}
