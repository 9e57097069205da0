"""What a win is worth: words of pay and pay tables."""

from croupier.pay.tables import Jackpot, PayTable, Product, Row
from croupier.pay.words import Pay, parse_pay, parse_rate

__all__ = ["Jackpot", "Pay", "PayTable", "Product", "Row", "parse_pay", "parse_rate"]
