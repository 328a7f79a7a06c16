import type { pairingWords as english } from '../en/pairing.ts';

// How a wallet on another device is connected, in Simplified Chinese.

export const pairingWords: typeof english = {
  asking: '正在获取二维码',
  scan: '请用你的钱包扫描此二维码，并在钱包中确认连接。',
  code: '供钱包扫描的二维码',
  open: '在此设备上打开',
  link: '配对链接',
  third: '消息经 WalletConnect 的中继传输。它能看到你的 IP 地址、你调用的合约以及你的交易哈希。',
};
