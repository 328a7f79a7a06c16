export { reasonTexts } from '@bowline/core/texts/reasons-zh';
export * from './action-items.ts';
export * from './ask.ts';
export * from './audit.ts';
export * from './bnb.ts';
export * from './buy.ts';
export * from './cautions.ts';
export * from './checks.ts';
export * from './coverage.ts';
export * from './frame.ts';
export * from './funding.ts';
export * from './guard.ts';
export * from './home.ts';
export * from './pairing.ts';
export * from './parts.ts';
export * from './payment.ts';
export * from './plans.ts';
export * from './portfolio.ts';
export * from './sale.ts';
export * from './served.ts';
export * from './terms.ts';
export * from './tickets.ts';

// The page in Simplified Chinese. One word for one thing:
//
//   plan 计划 (定投计划)    run, buy 执行、买入      skip 跳过            deferral 推迟       slot 时段
//   guard 守护 (贷款守护)   rescue 救援              trigger 触发值       target 目标值       cooldown 冷却时间
//   loan 贷款               collateral 抵押品        debt 债务            health 健康系数     liquidation 清算
//   approval 授权           allowance 授权额度       revoke 撤销          cancel 取消          base units 最小单位
//   verdict 评估            finding 检查结果         evidence 证据        ticket 凭证         oracle 预言机
//   slippage 滑点           price impact 价格影响    minimum 最少收到     floor 下限          limit price 限价
//   executor 执行者         keeper 救援者            agent 代理           desk 报价台          quote 报价
//   pool 资金池             pool fee 资金池手续费    receipt 收据         network fee 网络费用 stop everything 全部停止
//   price source 价格源     fair price 公允价格      unlisted 未收录      net worth 净资产     limit of a check 限值
//
// Put a space between Chinese and Latin letters or digits, but none next to a full-width mark. Use “你”, and one “…”.
//
// Symbols, codes (GO, NO_GO), names of protocols and MAX stay. Imports nothing that the page has already loaded.

/** A clause as a sentence. */
export const sentence = (clause: string): string => `${clause}。`;
