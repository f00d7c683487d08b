import { checkDataSource } from './connector/check-data-source.ts'
import { StatementReports } from './connector/statement-reports.ts'
import { type AttemptLimiter, limitAttemptsIn } from './attempts/attempt-limiter.ts'
import type { AccessControl } from './contract/access-control.ts'
import { builtInAccessModels } from './caller/access-models.ts'
import { readFromReplicas } from './caller/replica-reads.ts'
import type { ChangeLog } from './contract/change-log.ts'
import type { ActionHooks } from './contract/action-hooks.ts'
import type { DataSource } from './contract/data-source.ts'
import type { HealthCheck } from './contract/health-check.ts'
import type { EndSessions } from './contract/registry.ts'
import type { ModelType } from './contract/model-type.ts'
import type { Mount } from './operations/mount.ts'
import type { CallerCheck } from './operations/operation.ts'
import type { OperationContext } from './operations/operation-context.ts'
import type { IncludeLoader, RelatedFilter } from './contract/related-records.ts'
import type { ScriptObjects } from './operations/script-objects.ts'
import { makeSharedState, type SharedState } from './shared-state/shared-state.ts'
import type { Purge } from './purges/run-purges.ts'

/** What other packages install into a registry, and what they share through it. */
export class RegistrySeams {
  /** Checks during a long call that its caller is still authenticated. */
  readonly callerChecks: CallerCheck[] = []
  /** Other stores of users' tokens: called to revoke those of users whose password changed. */
  readonly sessionEnds: EndSessions[] = []
  /** Names of the models whose records, like those of models that extend them, decide who may do what. */
  readonly accessModels = new Set<string>(builtInAccessModels)
  /** Roles that rules of packages name: whoever has them is stored later, or never. */
  readonly laterRoles = new Set<string>()
  /** What the processes of the application share; of this process alone without the option `sharedState`. */
  readonly shared: SharedState = makeSharedState()
  /** Counts failed attempts to prove who one is, for all plugins together. */
  readonly attempts: AttemptLimiter = limitAttemptsIn(this.shared.cells)
  /** Statements of the data sources' connectors, for metrics and traces. */
  readonly statements: StatementReports = new StatementReports()
  /** What is over is removed by these from time to time, each in one process at a time: `addPurge`. */
  readonly purges: Purge[] = []
  /** The logs of changes by data source: `changes` adds them before routes are mounted, or data sources are opened. */
  readonly changeLogs = new Map<string, ChangeLog>()
  /** `changes` is installed: it reads the logs of models that log their changes. */
  readsChangeLogs = false
  /** Where operations are answered over HTTP, in the order of their mounting. */
  readonly mounts: Mount[] = []
  /** Reads related records; undefined until `relations` installs one. */
  includeLoader: IncludeLoader | undefined
  /** Filters by related records; undefined until `relations` installs one. */
  relatedFilter: RelatedFilter | undefined
  /** Decides what clients may see and change; undefined until `acl` installs it: they may do everything. */
  accessControl: AccessControl | undefined
  /** Makes the `options` of a client's call in place of those that name its token alone; undefined leaves these. */
  optionsOfCall: ((context: OperationContext) => Readonly<Record<string, unknown>> | undefined) | undefined
  /** Functions around what is done to records; undefined until `boot` installs them for scripts. */
  actionHooks: ActionHooks | undefined
  /** What scripts see of requests and responses; Node's objects until `loopback-express` installs it. */
  scriptObjects: ScriptObjects | undefined
  readonly #healthChecks = new Map<string, HealthCheck>()
  /** Some model has an observer, so that calls carry their caller. */
  observed = false
  /** Models in place of built-in ones, by the name of these: `modelByType` keeps them here once routes are mounted. */
  readonly builtIns = new Map<string, ModelType | undefined>()
  /** Runs work such as a report, whose reads replicas may answer until it writes; without it only requests that read do so. */
  readonly readFromReplicas: <Result>(work: () => Result) => Result = readFromReplicas

  /** Lets something remove what is over from time to time. Call it before the server is ready. */
  addPurge(purge: Purge): void {
    this.purges.push(purge)
  }

  /** Tells of the health of something that the server depends on; replaces a check of the same kind and name. */
  addHealthCheck(check: HealthCheck): void {
    this.#healthChecks.set(`${check.kind} ${check.name}`, check)
  }

  /** Has a data source report its statements and its health. */
  protected watched(dataSource: DataSource): DataSource {
    this.addHealthCheck(checkDataSource(dataSource))
    return this.statements.add(dataSource)
  }

  /** Whether what the server depends on can be used: data sources, and what packages added. */
  get healthChecks(): readonly HealthCheck[] {
    return [...this.#healthChecks.values()]
  }
}
