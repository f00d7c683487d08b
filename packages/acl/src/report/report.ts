import type { Operation } from '@modelwire/core'
import { answerToAll, callOf, compileDecision } from '../access/decision.ts'
import type { Rule } from '../rules/rule.ts'

/** Who may make calls of one operation, as files and scripts say. Stored rules may say more. */
export interface ReportLine {
  readonly model: string
  /** `find`, or `prototype.patchAttributes`. */
  readonly operation: string
  /** `GET /products`. */
  readonly endpoints: readonly string[]
  readonly accessType: string
  /** `rules`: it depends on the caller. */
  readonly open: 'everybody' | 'nobody' | 'rules'
  /** The rules that are asked, the one that is asked first first. */
  readonly rules: readonly string[]
}

const principalText = ({ principalType, principalId }: Rule): string =>
  principalType === 'ROLE' ? String(principalId) : `${principalType} ${principalId}`

const ruleText = (rule: Rule): string =>
  `${rule.permission ?? 'ALLOW'} ${principalText(rule)}${rule.rows === undefined ? '' : ' (own records)'}`

function opennessOf(answer: boolean | undefined): ReportLine['open'] {
  if (answer === undefined) return 'rules'
  return answer ? 'everybody' : 'nobody'
}

/** Says who may call an operation. */
export function reportOn(operation: Operation): ReportLine {
  const { model, name, endpoints, accessType } = operation
  const decision = compileDecision(operation.model, callOf(operation))
  const rules = decision.rules.map(({ rule }) => ruleText(rule))
  return {
    model: model.name,
    operation: name,
    endpoints: endpoints.map(({ verb, path }) => `${verb} /${model.httpPath}${path === '/' ? '' : path}`),
    accessType,
    open: opennessOf(answerToAll(decision)),
    rules: [...rules, `${decision.otherwise ? 'ALLOW' : 'DENY'} all others`]
  }
}
