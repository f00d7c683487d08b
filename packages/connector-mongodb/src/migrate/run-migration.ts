import { ApiError } from '@modelwire/core'
import {
  type MigrateOptions,
  MigrationFailed,
  type MigrationPlan,
  MigrationPlanChanged,
  type PlanOptions
} from '@modelwire/core/connector'
import type { MongoSession } from '../client/mongo-session.ts'
import type { DocumentMap } from '../document/document-map.ts'
import { planCollection } from './plan-collection.ts'
import { defaultLockTimeout, underLock } from './migration-lock.ts'
import type { CollectionPlan } from './plan-indexes.ts'
import type { PlannedStep } from './planned-step.ts'
import { collectionState, hasImages } from '../client/collection-state.ts'

/** Returns what a migration would do now. */
export async function planMigration(
  session: MongoSession,
  maps: readonly DocumentMap[],
  options: PlanOptions
): Promise<MigrationPlan> {
  return describe(await plan(session, maps, options))
}

/**
 * Plans while no other process is migrating, executes the plan, and returns it.
 * @throws {MigrationLocked} another process migrated all of the time
 * @throws {MigrationPlanChanged} the plan differs from the approved one
 * @throws {MigrationFailed} the database refuses a step
 */
export async function runMigration(
  session: MongoSession,
  maps: readonly DocumentMap[],
  options: MigrateOptions
): Promise<MigrationPlan> {
  return underLock(session, options.lockTimeout ?? defaultLockTimeout, async () => {
    const planned = await plan(session, maps, options)
    const described = describe(planned)
    checkAgreed(described, options.plan)
    for (const [at, step] of planned.steps.entries()) {
      await options.onStep?.(step.step, at + 1, planned.steps.length)
      await perform(session, step)
    }
    return described
  })
}

async function plan(
  session: MongoSession,
  maps: readonly DocumentMap[],
  options: PlanOptions
): Promise<CollectionPlan> {
  const shared = sharedBy(maps)
  const steps: PlannedStep[] = []
  const notes: string[] = []
  const isLogged = maps.some(({ model }) => model.logsChanges) && hasImages(await session.server())
  for (const [name, sharing] of shared) {
    const state = await collectionState(session, name)
    const planned = planCollection(name, sharing, state, { ...options, isLogged })
    steps.push(...planned.steps)
    notes.push(...planned.notes)
  }
  return { steps, notes }
}

/** The models of each collection: several may share one. */
function sharedBy(maps: readonly DocumentMap[]): ReadonlyMap<string, readonly DocumentMap[]> {
  const shared = new Map<string, DocumentMap[]>()
  for (const map of maps) {
    const sharing = shared.get(map.collection)
    if (sharing === undefined) shared.set(map.collection, [map])
    else sharing.push(map)
  }
  return shared
}

const describe = ({ steps, notes }: CollectionPlan): MigrationPlan => ({ steps: steps.map(({ step }) => step), notes })

function checkAgreed(planned: MigrationPlan, agreed: MigrationPlan | undefined): void {
  if (agreed === undefined || textOf(planned) === textOf(agreed)) return
  throw new MigrationPlanChanged('the database or the models changed since the migration was planned')
}

const textOf = ({ steps }: MigrationPlan): string => steps.map(({ statement }) => statement).join('\n')

async function perform(session: MongoSession, { step, perform: carryOut }: PlannedStep): Promise<void> {
  try {
    // Indexes of many documents take their time.
    await session.outside({}, () => carryOut(session.db))
  } catch (error) {
    throw error instanceof ApiError && error.statusCode === 503 ? error : new MigrationFailed(step, error)
  }
}
