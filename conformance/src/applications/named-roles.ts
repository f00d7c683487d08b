import { jsonFiles } from './allow-differences.ts'

interface WithRules {
  readonly acls?: readonly { readonly principalType?: string; readonly principalId?: string }[]
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Model files, and `model-config.json`, which may have rules of each model. */
function rulesOf(json: unknown): readonly WithRules[] {
  return isObject(json) ? [json, ...Object.values(json).filter(isObject)] : []
}

function rolesOf(text: string): readonly string[] {
  try {
    return rulesOf(JSON.parse(text))
      .flatMap(({ acls }) => (Array.isArray(acls) ? (acls as NonNullable<WithRules['acls']>) : [])) // A JSON file of a model.
      .filter(({ principalType, principalId = '$' }) => principalType === 'ROLE' && !principalId.startsWith('$'))
      .map(({ principalId = '' }) => principalId)
  } catch {
    return [] // Not every JSON file is one, and both frameworks say so where they read it.
  }
}

/** The roles that the rules of an application name, other than those of LoopBack itself. */
export async function namedRoles(dir: string): Promise<readonly string[]> {
  const files = await jsonFiles(dir)
  return [...new Set(Object.values(files).flatMap(rolesOf))].toSorted()
}
