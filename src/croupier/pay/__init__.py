"""What a win is worth: words of pay and pay tables."""

from croupier.pay.tables import COVER_ALL, JackpotTerms, PayTable, Product, Row
from croupier.pay.words import MOST_ODDS, Pay, parse_pay, parse_rate

__all__ = ["COVER_ALL", "MOST_ODDS", "JackpotTerms", "Pay", "PayTable", "Product", "Row", "parse_pay", "parse_rate"]
