import type { ModelType } from '@modelwire/core/plugin'

const aclsOf = (member: unknown): unknown => Reflect.get(Object(member), 'acls')

/**
 * The rules that a property or a function of a model has in `acls`: they are about the method of its name alone.
 * @param method without `prototype.`
 * @see LoopBack 3: loopback, common/models/acl.js, getStaticACLs
 */
export function memberRules({ definition, modelClass }: ModelType, method: string): readonly unknown[] {
  const { [method]: property } = Object.hasOwn(definition.properties, method) ? definition.properties : {}
  const ofClass: unknown = Reflect.get(modelClass, method)
  const member = property ?? (ofClass || Reflect.get(modelClass.prototype, method))
  const acls = aclsOf(member)
  return Array.isArray(acls) ? acls : []
}
