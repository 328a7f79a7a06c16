// Every style of the page, in one built file: shared styles come before the ones that a section overrides.
import './styles/tokens.css';
import './styles/base.css';
import './styles/parts.css';
import './styles/forms.css';
import './styles/rows.css';
import './frame.css';
import './transactions/tray.css';
import './wallet/wallet.css';
import './stop/stop.css';
import './home/home.css';
import './portfolio/portfolio.css';
import './plans/plans.css';
import './guard/guard.css';
import './buy/buy.css';
import './ask/ask.css';
