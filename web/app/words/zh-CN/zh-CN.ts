import { reasonTexts } from '@bowline/core/texts/reasons-zh';
import type { Translation } from '../translation.ts';
import { askWords } from './ask.ts';
import { auditWords, executorWords } from './audit.ts';
import { bnbWords } from './bnb.ts';
import { buyWords } from './buy.ts';
import { cautionTexts } from './cautions.ts';
import { checkNames } from './checks.ts';
import { coverWords } from './coverage.ts';
import { words } from './frame.ts';
import { fundingWords } from './funding.ts';
import { guardWords } from './guard.ts';
import { homeWords, noticeWords } from './home.ts';
import { needWords } from './needs.ts';
import { pairingWords } from './pairing.ts';
import { partWords, verdictWords } from './parts.ts';
import { paymentWords } from './payment.ts';
import { planWords } from './plans.ts';
import { portfolioWords } from './portfolio.ts';
import { saleFormWords } from './sale.ts';
import { servedWords } from './served.ts';
import { termWords } from './terms.ts';
import { judgeWords, problemWords, verifyWords } from './tickets.ts';

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
// A space stands between Chinese and Latin letters or digits, none beside a full-width mark; “你”, and one “…”.
//
// Symbols, codes (GO, NO_GO), names of protocols and MAX stay. It imports nothing that the page has loaded already.

export const zhCN: Translation = {
  ...{
    words,
    homeWords,
    needWords,
    noticeWords,
    portfolioWords,
    planWords,
    guardWords,
    fundingWords,
    saleFormWords,
    paymentWords,
    coverWords,
    buyWords,
    bnbWords,
    askWords,
  },
  ...{
    servedWords,
    auditWords,
    executorWords,
    verifyWords,
    judgeWords,
    problemWords,
    verdictWords,
    partWords,
    pairingWords,
    termWords,
  },
  ...{ reasonTexts, cautionTexts, checkNames, sentence: (clause) => `${clause}。` },
};
