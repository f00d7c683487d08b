import type { AccessRule, RowsFunction } from '@modelwire/core'
import type { FieldNames } from '@modelwire/core/plugin'
import { isPlainObject } from '@modelwire/server'
import { isId } from '../identity/same-id.ts'
import { normalRule } from './normal-rule.ts'
import { type FieldsOf, type Permission, permissions, type RowsOf, type Rule } from './rule.ts'

const isPermission = (value: unknown): value is Permission =>
  value === undefined || permissions.some((permission) => permission === value)

/** LB3: a list names methods, and `*` is none. It denies here, since models would be open unintentionally. */
function namesOf(property: AccessRule['property'], permission: unknown): readonly string[] {
  if (!Array.isArray(property)) return [property || '*']
  return property.filter((name) => name !== '*' || permission === 'DENY')
}

/** Whatever keeps a rule to some rows is never read as all of them. */
function rowsIn(rows: unknown): RowsOf | undefined {
  if (rows === undefined) return undefined
  if (typeof rows === 'function') return rows as RowsFunction // what it gives is checked
  return typeof rows === 'string' && rows !== '$owner' && rows !== '' ? { path: rows.split('.') } : '$owner'
}

const isNames = (value: unknown): value is FieldNames =>
  Array.isArray(value) || (isPlainObject(value) && Array.isArray(value['except']))

/** A list is about reading and setting alike. Whatever keeps a rule to some properties is never read as all of them. */
function fieldsIn(fields: unknown): FieldsOf | undefined {
  if (fields === undefined) return undefined
  if (isNames(fields)) return { read: fields, write: fields }
  const { read, write } = isPlainObject(fields) ? fields : { read: [], write: [] }
  const namesIn = (names: unknown): FieldNames | undefined => {
    if (names === undefined) return undefined
    return isNames(names) ? names : []
  }
  return { read: namesIn(read), write: namesIn(write) }
}

/**
 * The short form of a written rule, of any shape. LB3: an unknown permission counts as absent, so that of the model
 * applies.
 */
export function readRule(written: unknown, model: string): Rule {
  const { principalType, principalId, accessType, permission, property, rows, fields } = normalRule(written)
  return {
    principalType,
    principalId: isId(principalId) ? String(principalId) : undefined,
    permission: isPermission(permission) ? permission : undefined,
    accessType: accessType || '*',
    properties: namesOf(property, permission),
    model,
    isStored: false,
    rows: rowsIn(rows),
    fields: fieldsIn(fields)
  }
}

/** The short form of a stored row of the model `ACL`. LB3: a row without model, property or access type never applies. */
export function readStoredRule(row: Readonly<Record<string, unknown>>): Rule {
  const written = Object.fromEntries(
    Object.entries(row).filter(([, value]) => typeof value === 'string' || typeof value === 'number')
  )
  const { model, property, accessType } = written
  const rule = readRule(written, model && property && accessType ? String(model) : '')
  // No function is stored: any value of `rows` means those of the caller.
  const { rows } = row
  return { ...rule, isStored: true, rows: rows === undefined || rows === null ? undefined : '$owner' }
}
