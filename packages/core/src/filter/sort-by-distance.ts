import type { Row } from '../contract/row.ts'
import type { Comparison, Condition, Near } from '../contract/condition.ts'
import { distanceMetres, readPoint } from '../values/distance.ts'
import { readPath } from '../values/read-path.ts'

/** A `near` test: where the point is found in a row and which one it is compared with. */
export interface NearTest {
  readonly path: readonly string[]
  readonly value: Near
}

/** The `near` that decides the order: the first one in the condition. */
export function findNear(condition: Condition | undefined): NearTest | undefined {
  if (condition?.kind === 'test') return readNear(condition)
  if (condition === undefined || !('conditions' in condition)) return undefined
  for (const part of condition.conditions) {
    const near = findNear(part)
    if (near !== undefined) return near
  }
  return undefined
}

/** The rows from the nearest to the farthest, those without a point last. Equally distant ones keep their order. */
export function sortByDistance(rows: readonly Row[], near: NearTest): Row[] {
  const measured = rows.map((row) => ({ row, distance: shortestDistance(readPath(row, near.path), near.value) }))
  return measured.toSorted((a, b) => a.distance - b.distance || 0).map(({ row }) => row)
}

function readNear(comparison: Comparison): NearTest | undefined {
  return comparison.operator === 'near' ? { path: comparison.path, value: comparison.value } : undefined
}

function shortestDistance(value: unknown, near: Near): number {
  if (Array.isArray(value)) {
    return value.reduce((shortest: number, item) => Math.min(shortest, shortestDistance(item, near)), Infinity)
  }
  const point = readPoint(value)
  return point === undefined ? Infinity : distanceMetres(near, point)
}
