import type { AccessRule } from '@modelwire/core'
import type { Permission, Rule } from './rule.ts'

const permissions: ReadonlySet<unknown> = new Set(['ALLOW', 'DENY', 'AUDIT', 'ALARM'])

const isPermission = (value: unknown): value is Permission => value === undefined || permissions.has(value)

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

function namesOf(property: unknown): readonly string[] {
  const names = (Array.isArray(property) ? property : [property]).filter((name) => typeof name === 'string')
  return names.length === 0 && !Array.isArray(property) ? ['*'] : names
}

/** The short form of a written rule. LB3: an unknown permission allows, as an absent one does. */
export function readRule(written: AccessRule, model: string): Rule {
  const { principalType, principalId, accessType, permission, property, rows } = written
  return {
    principalType,
    principalId: textOf(principalId),
    permission: isPermission(permission) ? permission : undefined,
    accessType: accessType ?? '*',
    properties: namesOf(property),
    model,
    isStored: false,
    rows
  }
}

/**
 * The short form of a stored row of the model `ACL`. LB3: one that leaves the model, the property or the access type out is about
 * nothing.
 */
export function readStoredRule(row: Readonly<Record<string, unknown>>): Rule {
  const written = Object.fromEntries(
    Object.entries(row).filter(([, value]) => typeof value === 'string' || typeof value === 'number')
  )
  const [model = '', property = '', accessType = ''] = [row['model'], row['property'], row['accessType']].map(textOf)
  const rule = readRule({ ...written, property, accessType }, model)
  // Whatever keeps a rule to some rows is never read as all of them.
  return { ...rule, isStored: true, rows: rule.rows === undefined ? undefined : '$owner' }
}
